"""Says which network addresses may be dialled; refuses everything that is not the public internet.

Pure: knows numbers, not names. The tables follow the IANA special-purpose registries for IPv4 and
IPv6. They are spelled out because what `ipaddress` calls global differs between Python versions
and lets through 6to4, translated and site-local addresses.
"""

from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# Azure's machine agent answers on an address that looks public; the other clouds' metadata
# services live in link-local, shared or unique-local space and are covered by the tables.
_AZURE_AGENT = "168.63.129.16/32"

_SPECIAL_V4: tuple[Network, ...] = tuple(
    ip_network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        _AZURE_AGENT,
    )
)

# Only 2000::/3 is given out for the public internet; these parts of it are not.
_PUBLIC_V6 = IPv6Network("2000::/3")
_SPECIAL_V6: tuple[Network, ...] = tuple(
    ip_network(text)
    for text in (
        "2001::/23",  # Teredo, ORCHID, benchmarking and other protocol assignments
        "2001:db8::/32",
        "2002::/16",  # 6to4, whatever IPv4 address it embeds: retired, and a way around a gate
        "2620:4f:8000::/48",
        "3fff::/20",
    )
)
_TRANSLATED_V6 = IPv6Network("64:ff9b::/96")  # NAT64: the last 32 bits are the real target

# Even a site administrator's allow-list does not open these: nothing there is a service on the
# local network, and the metadata services hand out the machine's own credentials.
_NEVER: tuple[Network, ...] = tuple(
    ip_network(text)
    for text in (
        "0.0.0.0/8",
        "169.254.0.0/16",
        "100.100.100.200/32",
        "192.0.0.192/32",
        _AZURE_AGENT,
        "224.0.0.0/4",
        "240.0.0.0/4",
        "::/128",
        "64:ff9b:1::/48",
        "2001::/32",
        "2002::/16",
        "fd00:ec2::254/128",
        "fd20:ce::254/128",
        "fe80::/10",
        "fec0::/10",
        "ff00::/8",
    )
)


def parse_address(text: str) -> Address:
    """Read a canonical address; ValueError for anything else, zone identifiers included."""
    if "%" in text:
        raise ValueError("an address with a zone")
    return ip_address(text)


def real_target(address: Address) -> Address:
    """The IPv4 address that an IPv4-mapped or NAT64 address stands for, else the address itself."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address in _TRANSLATED_V6:
            return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def is_public(address: Address) -> bool:
    """Whether this address belongs to a host on the public internet."""
    target = real_target(address)
    if isinstance(target, IPv6Address):
        return target in _PUBLIC_V6 and not _lies_in(target, _SPECIAL_V6)
    return not _lies_in(target, _SPECIAL_V4)


def may_be_allow_listed(address: Address) -> bool:
    """Whether a site administrator can open this address at all."""
    return not _lies_in(real_target(address), _NEVER)


def _lies_in(address: Address, networks: tuple[Network, ...]) -> bool:
    return any(address in network for network in networks)

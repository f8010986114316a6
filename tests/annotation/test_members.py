"""Who is let in, as what, and who may change it: nobody raises their own role."""

import pytest
from django.test import Client

from annotation.models import Member, Role, User
from annotation.services import people
from annotation.services.people import PeopleRefused
from tests.cast import PASSWORD, join, make_cast

pytestmark = pytest.mark.django_db


def members_page(cast, pseudonym=""):
    return f"/studies/{cast.study.slug}/members/" + (f"{pseudonym}/" if pseudonym else "")


def let_in(client, cast, who, role=Role.CROWD_WORKER):
    return client.post(members_page(cast), {"name_or_email": who, "name": "", "role": role})


def password_in(html):
    after = html[html.index("<dt>Password</dt>") :]
    return after[after.index("<code>") + 6 : after.index("</code>")]


def can_sign_in(name, password):
    answer = Client().post("/accounts/login/", {"login": name, "password": password})
    return answer.status_code == 302


def test_somebody_new_gets_an_account_whose_password_is_shown_once(cast, sign_in):
    client = sign_in(cast.owner)
    answer = let_in(client, cast, "new@juryroom.example")
    html = answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    assert can_sign_in("new@juryroom.example", password_in(html))
    assert password_in(html) not in client.get(members_page(cast)).content.decode()


def test_somebody_with_an_account_keeps_it_whatever_the_case(cast, sign_in):
    answer = let_in(sign_in(cast.owner), cast, cast.stranger.email.upper(), Role.EXPERT)
    assert answer.status_code == 302
    member = Member.objects.get(user=cast.stranger)
    assert member.role == Role.EXPERT
    assert can_sign_in(cast.stranger.username, PASSWORD)


def test_nobody_becomes_a_member_twice(cast, sign_in):
    html = let_in(sign_in(cast.owner), cast, cast.worker.user.username).content.decode()
    assert "is a member of this study already" in html
    assert Member.objects.filter(user=cast.worker.user).count() == 1


@pytest.mark.parametrize("who", ["not a name", "a@b@c", "<script>"])
def test_a_name_that_is_none_is_refused_and_makes_no_account(cast, sign_in, who):
    before = User.objects.count()
    assert "field-errors" in let_in(sign_in(cast.owner), cast, who).content.decode()
    assert User.objects.count() == before


@pytest.mark.parametrize("who", ["worker", "expert", "researcher"])
@pytest.mark.parametrize("change", ["member", "list", "password"])
def test_only_owners_change_members(cast, sign_in, who, change):
    client = sign_in(getattr(cast, who))
    own = getattr(cast, who).pseudonym
    addresses = {
        "member": members_page(cast, own),
        "list": members_page(cast),
        "password": members_page(cast, own) + "password/",
    }
    sent = {"role": Role.OWNER, "is_active": "on", "name_or_email": "x", "name": ""}
    assert client.post(addresses[change], sent).status_code == 403
    assert Member.objects.get(pseudonym=own).role == getattr(cast, who).role


def test_an_owner_changes_others_but_never_their_own_role(cast, sign_in):
    client = sign_in(cast.owner)
    sent = {"role": Role.RESEARCHER, "is_active": "on"}
    assert client.post(members_page(cast, cast.expert.pseudonym), sent).status_code == 302
    cast.expert.refresh_from_db()
    assert cast.expert.role == Role.RESEARCHER
    html = client.post(members_page(cast, cast.owner.pseudonym), sent).content.decode()
    assert cast.owner.__class__.objects.get(pk=cast.owner.pk).role == Role.OWNER
    assert "This is you" in html


def test_who_has_left_gets_in_no_more_and_their_votes_stay(cast, sign_in):
    client = sign_in(cast.worker)
    assert client.get(f"/studies/{cast.study.slug}/").status_code == 200
    sent = {"role": Role.CROWD_WORKER}
    sign_in(cast.owner).post(members_page(cast, cast.worker.pseudonym), sent)
    assert client.get(f"/studies/{cast.study.slug}/").status_code == 404


def test_people_of_an_imported_round_have_nothing_to_change(cast, sign_in):
    member = people.imported_members(study=cast.study, role=Role.EXPERT, names={"E7"})["E7"]
    html = sign_in(cast.owner).get(members_page(cast, member.pseudonym)).content.decode()
    assert "E7" in html and "<select" not in html
    with pytest.raises(PeopleRefused):
        people.change_member(by=cast.owner, member=member, role=Role.OWNER, is_active=True)


def test_a_new_password_ends_the_old_one_and_all_sessions(cast, sign_in):
    theirs = sign_in(cast.worker)
    address = members_page(cast, cast.worker.pseudonym) + "password/"
    answer = sign_in(cast.owner).post(address)
    assert "no-store" in answer["Cache-Control"]
    assert can_sign_in(cast.worker.user.username, password_in(answer.content.decode()))
    assert not can_sign_in(cast.worker.user.username, PASSWORD)
    assert theirs.get("/").status_code == 302


def test_an_owner_s_reach_ends_where_somebody_has_rights_beyond_the_study(cast):
    other = make_cast("other")
    people.add_member(by=None, study=other.study, user=cast.worker.user, role=Role.CROWD_WORKER)
    User.objects.filter(pk=cast.expert.user_id).update(may_create_studies=True)
    User.objects.filter(pk=cast.researcher.user_id).update(is_site_administrator=True)
    for member in (cast.worker, cast.expert, cast.researcher, cast.owner):
        with pytest.raises(PeopleRefused):
            people.reset_password(by=cast.owner, member=Member.objects.get(pk=member.pk))
        assert can_sign_in(member.user.username, PASSWORD)


def test_names_and_addresses_are_unique_in_any_case(cast):
    name, email = cast.worker.user.username, cast.worker.user.email
    for username, address in ((name.upper(), ""), ("fresh", email.upper()), (email, "")):
        with pytest.raises(PeopleRefused, match="account already"):
            people.create_account(username=username, email=address)


def test_pseudonyms_say_nothing_but_the_role(cast):
    for member in (cast.worker, cast.expert, cast.owner):
        assert member.user.username not in member.pseudonym
    names = {join(cast.study, f"w{number}", Role.CROWD_WORKER).pseudonym for number in range(20)}
    assert len(names) == 20 and all(name.startswith("w-") for name in names)


def test_each_change_of_a_membership_is_kept_with_who_made_it(cast):
    people.change_member(by=cast.owner, member=cast.expert, role=Role.RESEARCHER, is_active=True)
    events = cast.expert.__class__.pgh_event_model.objects.filter(pgh_obj_id=cast.expert.pk)
    newest = events.select_related("pgh_context").latest("pgh_id")
    assert newest.pgh_context.metadata["user"] == cast.owner.user_id

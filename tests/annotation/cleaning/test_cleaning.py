"""Each step of cleaning, and what they do together."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.cleaning import (
    CleaningSettings,
    NonAscii,
    clean,
    drop_non_ascii,
    fold_to_ascii,
    mask_users,
    tidy_whitespace,
)

ANY_TEXT = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from("@ .a\n\u200d\ufe0f1")
)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("@anna hello", "<user> hello"),
        ("hello (@anna), @bob's and .@carol!", "hello (<user>), <user>'s and .<user>!"),
        ("@a_b1@Bob", "<user>"),
        ("@a@b@c and @d@\u200be", "<user> and <user>"),
        ("@anna@social.example-site.org says", "<user> says"),
        ("@anna.bsky.social says. So", "<user> says. So"),
        ("@anna... well", "<user>... well"),
        ("@имя ＠anna @\u2066anna\u2069", "<user> <user> <user>\u2069"),
        ("write to a@b.org or first.last@b.org", "write to a@b.org or first.last@b.org"),
        ("see https://medium.com/@anna/post and www.x.org/@b", None),
        ("@ home, @, a @ b, 5 @ $3", None),
        ("<user> again", None),
    ],
)
def test_users_are_masked_and_nothing_else(text, masked):
    assert mask_users(text) == (text if masked is None else masked)


@given(ANY_TEXT)
def test_no_word_starts_with_a_name_after_masking(text):
    without_addresses = re.sub(r"\b(https?://|www\.)\S+", "", mask_users(text))
    assert not re.search(r"(?<!\w)@\w", without_addresses)


EMOJI = ["🙂", "👩‍👩‍👧‍👦", "👍🏽", "1️⃣", "#️⃣", "*⃣", "🇨🇦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "❤️", "☺️", "ℹ️", "™️", "‼️", "🅰️"]


@pytest.mark.parametrize("emoji", EMOJI)
@pytest.mark.parametrize("step", [drop_non_ascii, fold_to_ascii])
def test_an_emoji_leaves_nothing_behind(step, emoji):
    assert step(f"a{emoji}b") == "ab"


def test_dropping_is_what_encoding_to_ascii_does():
    text = "Café “no” — naïve שלום £5 1 # *"
    assert drop_non_ascii(text) == text.encode("ascii", "ignore").decode()


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Perché così? È già “vero” – l’ha detto…", 'Perche cosi? E gia "vero" - l\'ha detto...'),
        ("Straße, Ærø, Łódź, œuvre", "Strasse, AEro, Lodz, oeuvre"),
        ("a\u00a0b\u2003c\u2028d", "a b c\nd"),
        ("½ ﬁ ² №", "1/2 fi 2 No"),
        ("שלום мир", " "),
        ("e\u0301", "e"),
    ],
)
def test_folding_keeps_what_ascii_can_say(text, folded):
    assert fold_to_ascii(text) == folded


@given(ANY_TEXT)
def test_nothing_but_ascii_is_left(text):
    assert drop_non_ascii(text).isascii()
    assert fold_to_ascii(text).isascii()
    assert fold_to_ascii(fold_to_ascii(text)) == fold_to_ascii(text)


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_is_left_alone(text):
    assert drop_non_ascii(text) == text
    assert fold_to_ascii(text) == text


@pytest.mark.parametrize(
    ("text", "tidy"),
    [
        ("  a \t b  ", "a b"),
        ("a \n\n b\r\nc\rd", "a\n\nb\nc\nd"),
        ("\n a \n", "a"),
        ("a\u00a0\u3000b\u2028c", "a b\nc"),
        (" \n ", ""),
    ],
)
def test_blanks_are_tidied_and_line_breaks_kept(text, tidy):
    assert tidy_whitespace(text) == tidy


@given(ANY_TEXT)
def test_tidying_twice_changes_nothing_more(text):
    once = tidy_whitespace(text)
    assert tidy_whitespace(once) == once


def test_the_paper_s_settings_are_the_default():
    cleaned = clean("@anna  Café 🙂 is closed\n", CleaningSettings())
    assert cleaned.text == "<user> Caf is closed"
    assert cleaned.changed == ("mask_users", "drop_non_ascii", "tidy_whitespace")


def test_only_steps_that_changed_something_are_named():
    assert clean("plain text", CleaningSettings()).changed == ()
    assert clean("a  b", CleaningSettings()).changed == ("tidy_whitespace",)


def test_keeping_keeps_right_to_left_text_and_emoji():
    text = "שלום 👩‍👩‍👧 1️⃣ עולם"
    assert clean(text, CleaningSettings(non_ascii=NonAscii.KEEP)).text == text


def test_everything_off_changes_nothing():
    text = " @anna é  "
    off = CleaningSettings(mask_users=False, non_ascii="keep", whitespace=False)
    assert clean(text, off).text == text
    assert off.versions() == {}


def test_the_steps_are_recorded_with_their_versions():
    assert CleaningSettings(non_ascii=NonAscii.FOLD).versions() == {
        "mask_users": 2,
        "fold_to_ascii": 1,
        "tidy_whitespace": 1,
    }


def test_an_unknown_choice_is_refused():
    with pytest.raises(ValueError, match="transliterate"):
        CleaningSettings(non_ascii="transliterate")

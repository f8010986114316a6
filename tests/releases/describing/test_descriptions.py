"""What describes a release can be read by those who read it: `datasets`, and `mlcroissant`."""

import json
import logging
import re
from pathlib import Path

import datasets
import mlcroissant
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from releases.algorithms.card import SECTIONS
from releases.columns import TABLES, Type
from releases.describing import croissant, header
from releases.describing.croissant import KEYS, REFERENCES, SPECIFICATIONS
from tests.releases.describing.folders import NASTY, description, files_of, layout, make

ALL_SPLITS = ("train", "validation", "test")
SHAPES = {
    "one split": {},
    "three splits": {"splits": ALL_SPLITS},
    "the crowd alone": {"stages": ("crowd",), "has_text": False},
    "the experts alone": {"stages": ("legal",), "labels": (), "metadata": ()},
}
FEATURES = {
    Type.TEXT: datasets.Value("string"),
    Type.WHOLE: datasets.Value("int64"),
    Type.NUMBER: datasets.Value("float64"),
    Type.TRUTH: datasets.Value("bool"),
    Type.TIME: datasets.Value("timestamp[ms, tz=UTC]"),
    Type.LIST: datasets.List(datasets.Value("string")),
}
HEADER = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)


def of_croissant(value):
    if isinstance(value, list):
        return [of_croissant(one) for one in value]
    return value.decode() if isinstance(value, bytes) else value


@pytest.mark.parametrize("shape", SHAPES)
def test_mlcroissant_reads_every_row_of_every_table_without_a_warning(tmp_path, shape, caplog):
    shape = layout(**SHAPES[shape])
    rows = make(tmp_path, description(), shape)
    with caplog.at_level(logging.WARNING):
        found = mlcroissant.Dataset(jsonld=tmp_path / "croissant.json")
    issues = found.metadata.ctx.issues
    assert not issues.errors and not issues.warnings and not caplog.records
    assert {one.id for one in found.metadata.record_sets} == set(rows)
    for table in shape.tables:
        records = [
            {one.name: record[one.id] for one in record_set.fields}
            for record_set in found.metadata.record_sets
            if record_set.id == table.name
            for record in found.records(table.name)
        ]
        assert len(records) == len(rows[table.name])
        if len(shape.splits) == 1:
            expected = [
                row | ({"split": "test"} if "split" in row else {}) for row in rows[table.name]
            ]
            assert [plain(record) for record in records] == expected


def plain(record):
    return {
        name: [of_croissant(one) for one in value]
        if isinstance(value, list)
        else of_croissant(value)
        for name, value in record.items()
    }


def test_a_changed_file_has_another_checksum_than_croissant_says(tmp_path):
    make(tmp_path, description(), layout())
    files = json.loads((tmp_path / "croissant.json").read_text())["distribution"]
    assert all(re.fullmatch("[0-9a-f]{64}", one["sha256"]) for one in files)
    assert {one["contentUrl"] for one in files} == {
        str(path.relative_to(tmp_path)) for path in tmp_path.glob("data/*")
    }


@pytest.mark.parametrize("shape", SHAPES)
def test_datasets_loads_each_table_with_its_splits_and_types(tmp_path, shape, monkeypatch):
    shape = layout(**SHAPES[shape])
    rows = make(tmp_path, description(), shape)
    for table in shape.tables:
        found = datasets.load_dataset(str(tmp_path), table.name, cache_dir=str(tmp_path / "cache"))
        assert list(found) == (list(shape.splits) if table.has_splits else ["full"])
        assert sum(part.num_rows for part in found.values()) == len(rows[table.name])
        expected = {one.name: FEATURES[one.type] for one in table.columns}
        assert all(part.features == expected for part in found.values())
    assert datasets.get_dataset_config_names(str(tmp_path)) == [one.name for one in shape.tables]


def test_what_has_no_rows_is_left_out_of_the_header_and_empty_in_croissant(tmp_path):
    make(tmp_path, description(), layout(splits=ALL_SPLITS), posts=2, more=0)
    assert datasets.get_dataset_config_names(str(tmp_path)) == ["posts"]
    found = datasets.load_dataset(str(tmp_path), cache_dir=str(tmp_path / "cache"))
    assert list(found) == ["train", "validation"]
    described = mlcroissant.Dataset(jsonld=tmp_path / "croissant.json")
    rows = {name: len(list(described.records(name))) for name in TABLES}
    assert rows == {name: 2 if name == "posts" else 0 for name in TABLES}


@settings(max_examples=40, deadline=None)
@given(st.text(), st.text(), st.text())
@example("", "", "\x85")
@example("\x85---\x85", "\u2028", "a\n---\nb")
def test_no_text_breaks_out_of_the_header(title, licence, label):
    told = description(title=title, licence=licence)
    shape = layout(labels=(label,), metadata=(NASTY,))
    text = header(told, shape, files_of(shape)) + "\n# Title\n"
    found = HEADER.match(text)
    content = yaml.safe_load(found[1])
    assert text[found.end() :] == "\n# Title\n"
    assert content["pretty_name"] == f"{' '.join(title.split())}, release 3"
    names = [one["name"] for one in content["dataset_info"][0]["features"]]
    assert names == [column.name for column in shape.tables[0].columns]


@pytest.mark.parametrize(
    ("licence", "expected"),
    [
        ("cc-by-4.0", {"license": "cc-by-4.0"}),
        ("CC0-1.0", {"license": "cc0-1.0"}),
        ("Ask\nus first", {"license": "other", "license_name": "Ask us first"}),
        ("", {"license": "unknown"}),
    ],
)
def test_a_licence_is_named_as_the_hub_names_it(licence, expected):
    text = header(description(licence=licence), layout(), files_of(layout()))
    content = yaml.safe_load(HEADER.match(text)[1])
    assert {key: content[key] for key in content if key.startswith("license")} == expected


def test_croissant_names_both_specifications_licence_version_and_how_to_cite():
    found = croissant(description(), layout(), {})
    assert found["conformsTo"] == list(SPECIFICATIONS)
    assert found["license"] == "https://spdx.org/licenses/CC-BY-4.0"
    assert (found["version"], found["datePublished"]) == ("3.0.0", "2026-05-04")
    assert "title = {Rumours, release 3}" in found["citeAs"] and "2026" in found["citeAs"]
    assert croissant(description(citation="So: us, 2026"), layout(), {})["citeAs"] == "So: us, 2026"
    assert "ask the authors" in croissant(description(licence=""), layout(), {})["license"]


def test_the_sections_fill_the_responsible_ai_properties():
    found = croissant(description(), layout(), {})
    for section in SECTIONS:
        if section.croissant:
            assert found[f"rai:{section.croissant}"] == f"Words on {section.code}."
    assert found["rai:annotationsPerItem"].startswith(
        "crowd: 3.3 on average (40 votes on 12 posts)"
    )
    nothing = croissant(description(votes={}), layout(), {})
    assert nothing["rai:annotationsPerItem"] == "No post has a vote."


def test_keys_and_references_name_columns_that_there_are():
    columns = {name: {one.name for one in table.columns} for name, table in TABLES.items()}
    assert set(KEYS) == set(TABLES) and all(set(KEYS[name]) <= columns[name] for name in KEYS)
    for (table, column), other in REFERENCES.items():
        assert column in columns[table] and KEYS[other] == (column,)


@pytest.fixture(autouse=True, scope="module")
def no_network_and_no_bars(tmp_path_factory: pytest.TempPathFactory):
    home = Path(tmp_path_factory.mktemp("hugging face"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
        patch.setattr(datasets.config, "HF_MODULES_CACHE", str(home))
        datasets.disable_progress_bars()
        yield

"""Charts of a study: kept as a whole, replaced as a whole, downloaded by who sees results."""

import pytest
from django.urls import reverse

from annotation.models import Chart, StudyState
from annotation.queries.charts import charts_about
from annotation.services.archive import StudyArchived
from annotation.services.charts import store_charts
from tests.annotation.charts.sample import drawing, interval_picture
from tests.cast import make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def chart(cast):
    return store_charts(study=cast.study, subject="filter/3", drawings=[drawing()])[0]


def address(study, chart, form):
    return reverse("chart_file", args=[study.slug, chart.pk, form])


def names(study, subject):
    return [chart.name for chart in charts_about(study, subject)]


def test_charts_come_in_the_order_of_their_drawings(cast):
    drawings = [drawing(name=name) for name in ("shift", "alpha", "sizes")]
    store_charts(study=cast.study, subject="filter/3", drawings=drawings)
    assert names(cast.study, "filter/3") == ["shift", "alpha", "sizes"]
    assert names(cast.study, "filter/30") == []


def test_charts_drawn_again_take_the_place_of_those_about_the_same_and_of_no_others(cast, chart):
    other = make_cast("other").study
    for study, subject in ((cast.study, "filter/4"), (other, "filter/3")):
        store_charts(study=study, subject=subject, drawings=[drawing()])
    store_charts(study=cast.study, subject="filter/3", drawings=[drawing(name="alpha")])
    assert names(cast.study, "filter/3") == ["alpha"]
    assert names(cast.study, "filter/4") == names(other, "filter/3") == ["sample"]


def test_a_chart_that_cannot_be_drawn_leaves_those_from_before(cast, chart):
    class Broken:
        def to_dict(self):
            return {"mark": "nothing"}

    with pytest.raises(ValueError, match="SVG conversion failed"):
        store_charts(
            study=cast.study,
            subject="filter/3",
            drawings=[drawing(name="new"), drawing(name="worse", picture=Broken)],
        )
    assert names(cast.study, "filter/3") == ["sample"]


def test_an_archived_study_keeps_its_charts_as_they_are(cast, chart):
    cast.study.state = StudyState.ARCHIVED
    cast.study.save()
    with pytest.raises(StudyArchived):
        store_charts(study=cast.study, subject="filter/3", drawings=[])
    assert names(cast.study, "filter/3") == ["sample"]


def test_a_page_reads_the_pictures_without_the_files(cast, chart):
    found = charts_about(cast.study, "filter/3")[0]
    assert found.get_deferred_fields() == {"png", "csv"}


@pytest.mark.parametrize(
    ("form", "kind", "begin"),
    [
        ("svg", "image/svg+xml; charset=utf-8", b"<svg"),
        ("png", "image/png", b"\x89PNG"),
        ("csv", "text/csv; charset=utf-8", b"name,value\n"),
    ],
)
def test_each_form_is_a_file_and_no_page(cast, chart, sign_in, form, kind, begin):
    answer = sign_in(cast.researcher).get(address(cast.study, chart, form))
    assert answer.status_code == 200 and answer.content.startswith(begin)
    assert answer["Content-Type"] == kind
    name = f"rumours-filter-3-sample.{form}"
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Cache-Control"] == "private, no-store"


def test_the_table_is_exact_and_runs_nothing_in_a_spreadsheet(chart):
    assert chart.csv == 'name,value\n\'=1+1,-2.5\n"say ""a, b""",\n'


def test_who_sees_results_downloads_charts_and_others_do_not(cast, chart, sign_in):
    for person, status in [
        (cast.owner, 200),
        (cast.researcher, 200),
        (cast.expert, 403),
        (cast.worker, 403),
        (cast.stranger, 404),
        (cast.site_administrator, 404),
    ]:
        client = sign_in(person)
        assert client.get(address(cast.study, chart, "svg")).status_code == status


def test_a_chart_of_another_study_is_not_there(cast, chart, sign_in):
    other = make_cast("other")
    client = sign_in(other.owner)
    assert client.get(address(other.study, chart, "svg")).status_code == 404
    assert client.get(address(cast.study, chart, "svg")).status_code == 404


@pytest.mark.parametrize("form", ["pdf", "alternative", "study", "SVG"])
def test_there_is_no_other_form(cast, chart, sign_in, form):
    assert sign_in(cast.owner).get(address(cast.study, chart, form)).status_code == 404


def test_charts_with_pictures_of_all_kinds_are_kept(cast):
    made = store_charts(study=cast.study, subject="x", drawings=[drawing(picture=interval_picture)])
    assert Chart.objects.get(pk=made[0].pk).png.tobytes().startswith(b"\x89PNG")

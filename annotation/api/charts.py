"""Charts as they were drawn: their words, their picture, and the table behind it."""

import base64

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Permission, of_study
from annotation.api.endpoint import StudyEndpoint, operation
from annotation.api.fields import Moment
from annotation.api.pages import PageQuery
from annotation.models import Chart

SEEN = {"GET": Permission.SEE_RESULTS}


class ChartQuery(PageQuery):
    """Charts about what."""

    subject = serializers.CharField(
        default="", allow_blank=True, max_length=60, help_text="Such as “legal” or “filter/3”."
    )


class ChartRow(serializers.Serializer):
    """A chart: what it is about, and what it shows in words."""

    id = serializers.IntegerField()
    subject = serializers.CharField()
    name = serializers.CharField()
    title = serializers.CharField()
    alternative = serializers.CharField()
    made_at = Moment()


class ChartDetail(ChartRow):
    """A chart with its picture, as SVG and as PNG in Base64, and the table behind it as CSV."""

    svg = serializers.CharField()
    png = serializers.SerializerMethodField()
    csv = serializers.CharField()

    def get_png(self, chart: Chart) -> str:
        """Return the picture as text."""
        return base64.b64encode(chart.png).decode()


class Charts(StudyEndpoint):
    """The charts of a study."""

    needs = SEEN

    @operation(ChartRow, is_page=True, query=ChartQuery)
    def get(self, request: Request) -> Response:
        """List the charts that were drawn, of all subjects or of one."""
        charts = Chart.objects.filter(study=self.access.study).defer("svg", "png", "csv")
        if subject := self.query["subject"].replace("\0", ""):
            charts = charts.filter(subject=subject)
        return self.page(charts, ("subject", "place", "pk"))


class OneChart(StudyEndpoint):
    """One chart."""

    needs = SEEN

    @operation(ChartDetail)
    def get(self, request: Request, chart_id: int) -> Response:
        """Return a chart with its files."""
        return self.answer(of_study(Chart.objects.all(), self.access, pk=chart_id))

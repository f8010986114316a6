"""Charts as they were drawn: pages show them, papers take them."""

from django.db import models

from annotation.models.studies import Study


class Chart(models.Model):
    """A chart about something of a study, in three forms.

    `subject` is what it is about, as “filter/3”; `name` is its own among the charts of its subject,
    and `place` its place there. The SVG holds its words: the title, and the alternative that says
    in words what it shows. The next drawing of a subject takes the place of this one.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="charts")
    subject = models.CharField(max_length=60)
    name = models.CharField(max_length=40)
    place = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=200)
    alternative = models.TextField()
    svg = models.TextField()
    png = models.BinaryField()
    csv = models.TextField()
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["subject", "place"]
        constraints = [
            models.UniqueConstraint(fields=["study", "subject", "name"], name="chart_name_once"),
        ]

    def __str__(self) -> str:
        return f"{self.subject}/{self.name}"

    @property
    def file_name(self) -> str:
        """Return the name of its files, without their ending."""
        return f"{self.subject}-{self.name}".replace("/", "-")

# The web process and the worker of a site with its own PostgreSQL and Redis; see docker-compose.yml.
FROM python:3.11-slim

# The CPU build of torch; the default index brings gigabytes of CUDA. Build with
# --build-arg PIP_EXTRA_INDEX_URL= on a machine whose GPU the worker shall use.
ARG PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu

ENV PYTHONUNBUFFERED=1

RUN useradd --uid 10001 --create-home juryroom
WORKDIR /srv/juryroom

COPY requirements.txt ./
RUN pip install --no-cache-dir --disable-pip-version-check --requirement requirements.txt

COPY . .
RUN install --directory --owner=juryroom --group=juryroom --mode=0700 var

USER juryroom
EXPOSE 8000
CMD ["python", "manage.py", "serve", "--no-worker", "--host", "0.0.0.0", "--port", "8000"]

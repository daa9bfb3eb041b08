# The default image: no torch, no compiler, no root. The same wheel, and so the same `looksy`, as without containers.
FROM python:3.11.11-slim-bookworm AS build
WORKDIR /src
COPY . .
RUN python -m venv /opt/looksy \
    && /opt/looksy/bin/pip install --no-cache-dir --disable-pip-version-check '.[elasticsearch]'

FROM python:3.11.11-slim-bookworm
RUN groupadd --system --gid 10001 looksy \
    && useradd --system --uid 10001 --gid 10001 --create-home looksy \
    && install -d -o looksy -g looksy /data
COPY --from=build /opt/looksy /opt/looksy
ENV PATH=/opt/looksy/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    LOOKSY_DATA_DIR=/data
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
ENTRYPOINT ["looksy"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]

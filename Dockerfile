# Microveil in a container: read-only file system, no home, no root, no network needed at run time.
#
#   docker build -t microveil .
#   docker run --rm --read-only --network none --user "$(id -u):$(id -g)" \
#     -v "$PWD:/data" microveil run recipe.yaml patients.csv --out released.csv
#
# docs/containers.md says why each line is there.

FROM python:3.12-slim AS build
ARG EXTRAS=sql,models,plots,dp
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY packaging ./packaging
COPY src ./src
RUN python -m venv /opt/microveil \
 && /opt/microveil/bin/pip install --no-cache-dir ".[$EXTRAS]"

FROM python:3.12-slim
COPY --from=build /opt/microveil /opt/microveil
ENV PATH=/opt/microveil/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    MICROVEIL_CACHE_DIR=/var/cache/microveil \
    MICROVEIL_LOG=json \
    NUMBA_CPU_NAME=generic
# Compile once, here; whoever runs the image only reads the result.
RUN mkdir -p "$MICROVEIL_CACHE_DIR" && microveil warm-up && chmod -R a+rX "$MICROVEIL_CACHE_DIR"
USER 65534:65534
WORKDIR /data
ENTRYPOINT ["microveil"]
CMD ["--help"]

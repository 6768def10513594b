# One image for every service: which one runs is said by its arguments, for example
#   docker run group-payments services/checkout/src/main.js
# Both bases are arguments, for a registry of one's own; they need the same major version of Node. `npm run pin-bases` adds
# the digests of today, which a release is built from.
ARG BUILD_BASE=docker.io/library/node:24-trixie-slim
ARG RUN_BASE=gcr.io/distroless/nodejs24-debian13:nonroot

FROM ${BUILD_BASE} AS source
WORKDIR /app
COPY . .

# What services need at run time, and its bill of materials: the packages of the workspaces. Those of the root build the
# product, or are the embedded servers and their Node for machines without containers. npm prune takes away what npm ci
# installs of them, for it installs what any workspace would need for development if the root needs it to run.
FROM source AS dependencies
RUN npm ci --omit=dev --workspaces --ignore-scripts --no-audit --no-fund \
  && npm pkg delete dependencies optionalDependencies \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && mkdir /dependencies \
  && node .configs/sbom.mjs >/dependencies/sbom.cdx.json \
  && find . -name node_modules -prune -exec cp -a --parents {} /dependencies ';'

FROM source AS installed
RUN npm ci --ignore-scripts --no-audit --no-fund

FROM installed AS built
RUN npm run build --workspaces --if-present

# A bundle of each program, the sources that are in none as JavaScript, and the pages.
FROM built AS compiled
RUN npm run bundle && node .configs/compile.mjs /image && mkdir -p /volumes/secrets /volumes/nats

# Node watches the source, which Tilt keeps up to date, so the user of the container must be able to write it.
FROM built AS dev
RUN chown -R 65532:65532 libs services
ENV NODE_OPTIONS=--disable-warning=ExperimentalWarning
USER 65532:65532
ENTRYPOINT ["node", "--watch"]

FROM ${RUN_BASE} AS run
WORKDIR /app
ENV NODE_ENV=production
COPY --from=dependencies /dependencies .
COPY --from=compiled /image .
# A new volume that is mounted over a folder gets its owner: compose.yaml has one for each.
COPY --from=compiled --chown=65532:65532 /volumes /volumes
USER 65532:65532
ENTRYPOINT ["/nodejs/bin/node"]

# The container image: Node, the built product and the C library it needs; no shell, no package
# manager (docs/decisions/0053). For linux/amd64 and linux/arm64.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
# Watermarks need a font. This one has Latin, Greek and Cyrillic; mount others into /usr/share/fonts.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends fonts-dejavu-core \
  && rm -r /var/lib/apt/lists \
  && mkdir -p /image/etc/fonts /image/usr/share/fonts/dejavu \
  && cp /usr/share/fonts/truetype/dejavu/DejaVuSans*.ttf /usr/share/doc/fonts-dejavu-core/copyright /image/usr/share/fonts/dejavu/ \
  && echo '<fontconfig><dir>/usr/share/fonts</dir></fontconfig>' > /image/etc/fonts/fonts.conf
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
# Node 24 has node:sqlite: the package that replaces it on Node 20 is 29 MB. Without a shell there is
# no /usr/bin/env, so the command names its Node itself. Type declarations and source maps are 27 MB.
RUN npm run build \
  && npm prune --omit=dev --ignore-scripts \
  && rm -r node_modules/@photostructure \
  && find dist node_modules -type f -regex '.*\.\([cm]?ts\|map\)' -delete \
  && sed -i '1s|.*|#!/usr/local/bin/node|' bin/image-host.mjs \
  && mkdir -p /image/app/scripts /image/usr/local/bin \
  && mkdir -p -m 700 /image/volumes/data \
  && mv bin dist node_modules package.json LICENSE CHANGELOG.md /image/app/ \
  && mv scripts/node-version.mjs /image/app/scripts/ \
  && cp /usr/local/bin/node /image/usr/local/bin/ \
  && ln -s /app/bin/image-host.mjs /image/usr/local/bin/image-host

FROM gcr.io/distroless/cc-debian13:nonroot
LABEL org.opencontainers.image.title="Image Host" \
  org.opencontainers.image.description="A self-hosted image host: drop a picture, get a link." \
  org.opencontainers.image.licenses="MIT"
COPY --from=build /image/etc /etc
COPY --from=build /image/usr /usr
COPY --from=build /image/app /app
# A new volume takes its owner and mode from this folder. 65532 is the user nonroot of the base image.
COPY --from=build --chown=65532:65532 /image/volumes /
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
USER 65532:65532
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["image-host"]
CMD ["start"]

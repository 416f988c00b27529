# An image of the server: docker build -t stakeport . && docker run --env-file .env -v stakeport:/data -p 127.0.0.1:8080:8080 stakeport
# docs/operating.md says what it needs. Change both FROM lines together: the driver of SQLite is built for one version of Node.

FROM node:24-bookworm-slim AS build
WORKDIR /app
# SQLite's driver brings a binary for most machines. Where it has none, these build it; they stay in this stage.
RUN apt-get update && apt-get install -y --no-install-recommends g++ make python3 && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run ensure && npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATABASE_URL=sqlite:/data/stakeport.db
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE /app/README.md /app/CHANGELOG.md ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/examples ./examples
COPY --from=build /app/docs ./docs
RUN install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 8080
# Alive is not ready: /readyz also waits for the venue, and a restart would not help there.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node directly, so that signals reach it and no shell keeps a copy of the environment.
ENTRYPOINT ["node", "dist/server/main.js"]

# docker build -t rope-check . && docker run --rm -v "$PWD:/work" rope-check verify --config config.json
FROM debian:12-slim AS build
COPY . /source
RUN /source/dev package

FROM debian:12-slim
COPY --from=build /source/build/package/*.deb /tmp/
RUN dpkg -i /tmp/*.deb && rm /tmp/*.deb
WORKDIR /work
ENTRYPOINT ["rope-check"]

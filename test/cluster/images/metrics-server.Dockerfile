FROM scratch
COPY metrics-server /metrics-server
ENTRYPOINT ["/metrics-server"]

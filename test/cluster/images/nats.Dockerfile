# Stand-in for the official image where no registry of images is within reach: the NATS that tests use.
FROM scratch
COPY nats-server /nats-server
ENTRYPOINT ["/nats-server"]

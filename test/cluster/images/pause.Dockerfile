FROM scratch
COPY pause /pause
ENTRYPOINT ["/pause"]

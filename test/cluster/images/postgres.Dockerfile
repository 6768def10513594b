# Stand-in for the official image where no registry of images is within reach: the Postgres that tests use, with as much
# of that image's way of being configured as the chart needs.
FROM localhost/group-payments-base:build
COPY postgres /usr/local/postgres
COPY postgres.sh pg_isready /usr/local/bin/
COPY passwd /etc/passwd
ENTRYPOINT ["postgres.sh"]

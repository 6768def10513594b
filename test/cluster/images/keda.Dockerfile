FROM scratch
COPY operator /keda
COPY adapter /keda-adapter
# Its manifests refuse programs of root.
USER 1000:1000

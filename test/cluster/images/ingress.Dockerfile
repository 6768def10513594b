# Debian's nginx, which plays the ingress controller.
FROM localhost/group-payments-base:build
COPY nginx /usr/sbin/nginx
COPY passwd /etc/passwd
ENTRYPOINT ["nginx", "-c", "/etc/ingress/nginx.conf", "-g", "daemon off;"]

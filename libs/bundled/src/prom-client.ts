export { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

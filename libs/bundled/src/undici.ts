export { Agent, ProxyAgent, buildConnector, request, type Dispatcher } from 'undici';

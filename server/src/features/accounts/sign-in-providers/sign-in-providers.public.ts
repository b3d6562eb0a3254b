export { listConnections, lockConnection } from './sign-in-connections.queries.ts';

export { listConnections } from './sign-in-connections.queries.ts';

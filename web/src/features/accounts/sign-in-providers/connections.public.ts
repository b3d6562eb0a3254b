export { connectionsQuery } from './sign-in-providers.api.ts';

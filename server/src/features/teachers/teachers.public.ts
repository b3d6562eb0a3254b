export { insertInvite } from './invites.queries.ts';

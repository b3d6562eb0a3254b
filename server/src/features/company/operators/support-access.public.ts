export { findPermission } from './support-access.queries.ts';

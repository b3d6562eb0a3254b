export { ingestSessions } from './reading-app.service.ts';

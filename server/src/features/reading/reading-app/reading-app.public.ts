export { ingestSessions, parseSessions } from './session-intake.service.ts';

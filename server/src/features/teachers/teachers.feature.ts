import { defineFeature } from '../../feature.ts';
import { inviteCleanupJob } from './invites.jobs.ts';
import { inviteHandlers } from './invites.routes.ts';
import { teacherHandlers } from './teachers.routes.ts';

export const teachersFeature = defineFeature({
  handlers: { ...teacherHandlers, ...inviteHandlers },
  jobs: (services) => [inviteCleanupJob(services)],
});

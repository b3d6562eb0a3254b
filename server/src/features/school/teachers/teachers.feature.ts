import { defineFeature } from '../../../feature.ts';
import { inviteHandlers } from './invites.routes.ts';
import { teacherHandlers } from './teachers.routes.ts';

export const teachersFeature = defineFeature({
  handlers: { ...teacherHandlers, ...inviteHandlers },
});

import { defineFeature } from '../../../feature.ts';
import { digestJob, schoolDigestJob } from './weekly-digest.jobs.ts';
import { digestHandlers, serveDigestPages } from './weekly-digest.routes.ts';

export const weeklyDigestFeature = defineFeature({
  handlers: digestHandlers,
  jobs: (services) => [digestJob(services), schoolDigestJob(services)],
  serve: serveDigestPages,
});

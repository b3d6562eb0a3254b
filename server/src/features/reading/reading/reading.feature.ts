import { defineFeature } from '../../../feature.ts';
import { digestJob, schoolDigestJob } from './digest.jobs.ts';
import { digestHandlers, serveDigestPages } from './digest.routes.ts';
import { readingHandlers } from './reading.routes.ts';

export const readingFeature = defineFeature({
  handlers: { ...readingHandlers, ...digestHandlers },
  jobs: (services) => [digestJob(services), schoolDigestJob(services)],
  serve: serveDigestPages,
});

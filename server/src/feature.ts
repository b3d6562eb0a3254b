import type { FastifyInstance } from 'fastify';
import type { Services } from './context.ts';
import type { Handlers } from './http/pipeline.ts';
import type { Job } from './jobs/queue.ts';

/** What a feature adds to the server. */
export interface Feature<Name extends keyof Handlers> {
  handlers?: Pick<Handlers, Name>;
  jobs?: (services: Services) => Job[];
  /** Adds routes that are not calls of the contract. */
  serve?: (app: FastifyInstance, services: Services) => Promise<void> | void;
}

export const defineFeature = <Name extends keyof Handlers = never>(feature: Feature<Name>): Feature<Name> => feature;

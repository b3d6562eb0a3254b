import { test } from '@playwright/test';
import type { Portal } from '../server.ts';
import { ApiDocument } from './api-document.ts';
import { Client } from './client.ts';
import type { Need } from './needs.ts';

/** What one run of the client has done. */
export class Journey {
  readonly portal: Portal;
  /** The calls that were made, as the specifications write them. */
  readonly madeCalls = new Set<string>();
  /** The needs that were met. */
  readonly metNeeds = new Set<Need>();
  private readonly apiDocument: ApiDocument;
  private stepTitle = 'Start';

  private constructor(portal: Portal, apiDocument: ApiDocument) {
    this.portal = portal;
    this.apiDocument = apiDocument;
  }

  /** Reads the OpenAPI document of the running portal. */
  static async start(portal: Portal): Promise<Journey> {
    const response = await fetch(`${portal.url}/v1/openapi.json`);
    if (!response.ok) throw new Error(`GET /v1/openapi.json answers ${response.status}.`);
    return new Journey(portal, new ApiDocument(await response.json()));
  }

  /** A client without a session. */
  client(): Client {
    return new Client(this);
  }

  /** The only way to anything that the specifications do not name. */
  outside(need: Need): ApiDocument {
    this.metNeeds.add(need);
    return this.apiDocument;
  }

  step<T>(title: string, work: () => Promise<T>): Promise<T> {
    return test.step(title, () => {
      this.stepTitle = title;
      return work();
    });
  }

  /** An obstacle for a client, with its step. */
  createError(text: string): Error {
    return new Error(`In “${this.stepTitle}”: ${text}`);
  }
}

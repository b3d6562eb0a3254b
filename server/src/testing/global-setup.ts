import type { TestProject } from 'vitest/node';
import { makeTemplate, type Template } from './databases.ts';

declare module 'vitest' {
  interface ProvidedContext {
    template: Template;
  }
}

/** Prepares the database that every test file copies: embedded, or on the server that TEST_DATABASE_URL names. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { template, remove } = await makeTemplate(process.env.TEST_DATABASE_URL);
  project.provide('template', template);
  return remove;
}

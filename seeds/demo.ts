import type { Services } from '#server/http/pipeline.ts';

export async function loadDemo(services: Services, say: (line: string) => void): Promise<string[]> {
  void services;
  void say;
  return [];
}

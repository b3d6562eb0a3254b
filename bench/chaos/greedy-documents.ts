import { injectFault } from './report.ts';
import type { PortalProcess } from './portal-process.ts';
import type { ServerEnvironment } from './server-environment.ts';

/** More than the pool accepts from one person. */
const DOCUMENTS = 62;
/** One runs and four wait. */
const MIN_ACCEPTED = 5;
const GREEDY = 'teacher@willowbank.example';
const OTHER = 'head@otherschool.example';

interface Login {
  token: string;
  schoolId: number;
}

async function logIn(portal: PortalProcess, email: string): Promise<Login> {
  const { status, reply } = await portal.request('/v1/auth', { email, password: 'reading-1' });
  if (status !== 200) throw new Error(`${email} could not log in: ${status}.`);
  const { meta, user } = reply as { meta: { token: string }; user: { enterprise_id: number } };
  return { token: meta.token, schoolId: user.enterprise_id };
}

async function download(portal: PortalProcess, path: string, token: string) {
  const response = await fetch(portal.url + path, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return { status: response.status, retryAfter: response.headers.get('retry-after') };
}

/** A teacher asks for 62 documents at once: another school gets its files meanwhile, and only the teacher is rejected. */
export const requestManyDocuments = async ({ portal, readers }: ServerEnvironment) => {
  const greedy = await logIn(portal, GREEDY);
  const other = await logIn(portal, OTHER);
  await injectFault(`${DOCUMENTS} documents at once by one teacher`, readers, 1, async () => {
    const needs = `/v1/enterprises/${greedy.schoolId}/needs?output=pdf`;
    const sheet = `/v1/enterprises/${other.schoolId}/users/export?output=xlsx`;
    const unanswered = new Set<number>();
    const request = async (_: unknown, n: number) => {
      unanswered.add(n);
      const answer = await download(portal, needs, greedy.token);
      unanswered.delete(n);
      return answer;
    };
    const documents = Promise.all(Array.from({ length: DOCUMENTS }, request));
    let files = 0;
    while (unanswered.size > 0) {
      const { status } = await download(portal, sheet, other.token);
      if (status !== 200) throw new Error(`The other school's file was answered with ${status}.`);
      files += 1;
    }
    const answers = await documents;
    const accepted = answers.filter(({ status }) => status === 200).length;
    const rejected = answers.filter(({ status, retryAfter }) => status === 503 && retryAfter !== null).length;
    if (files === 0 || accepted < MIN_ACCEPTED || rejected === 0 || accepted + rejected !== DOCUMENTS)
      throw new Error(`${files} files of the other school; of the teacher's ${accepted} made, ${rejected} rejected.`);
    const { status } = await download(portal, needs, greedy.token);
    if (status !== 200) throw new Error(`The teacher's next document was answered with ${status}.`);
  });
};

import { api } from '#contract/api.ts';
import type { Call } from '#contract/call.ts';
import { isSchoolAction, type Role, roleAllows } from '#contract/permissions.ts';

const patternOf = (path: string) => new RegExp(`^/v1${path.replace(/\{\w+\}/g, '[^/]+')}$`);

/** Whether the server replies with 403 to a call of a role: by its right, or because a supply teacher has no account. */
export const isCallForbidden = (role: Role, { permission, withoutAddress }: Call): boolean =>
  isSchoolAction(permission)
    ? !roleAllows(role, permission)
    : role === 'supply_teacher' && permission === 'user' && !withoutAddress;

/** Whether the server would reply with 403 to a request of a role. `name`: `GET /v1/enterprises/7?include=invoices`. */
export function isForbidden(role: Role, name: string): boolean {
  const [method, address = ''] = name.split(' ');
  const { pathname } = new URL(address, 'https://portal.example');
  const calls = Object.values(api).filter((spec) => spec.method === method && patternOf(spec.path).test(pathname));
  // `readers/export` and `readers/{id}`: the path with fewer parameters.
  const [spec] = calls.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length);
  return spec !== undefined && isCallForbidden(role, spec);
}

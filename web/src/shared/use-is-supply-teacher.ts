import { useSession } from './session.ts';
import { isSupplyTeacher } from './supply-teacher.ts';

/** Whether the signed-in user is a supply teacher. */
export function useIsSupplyTeacher(): boolean {
  const user = useSession()?.user;
  return user !== undefined && isSupplyTeacher(user);
}

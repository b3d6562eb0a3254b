import { useQuery } from '@tanstack/react-query';
import { paths } from '../../../../paths.ts';
import { useUser } from '../../../../shared/session.ts';
import { isSupplyTeacher } from '../../../../shared/supply-teacher.ts';
import { Link } from '../../../../ui/Link.tsx';
import { schoolQuery } from '../../school/school.public.ts';
import { adminsInWords, adminsOf, haveTheyLeft } from '../model/admins.ts';

/**
 * Sends a teacher to the admins of the school, by name, and to us if all of them have left.
 * @param what the purpose, at the beginning of a sentence: `To renew the subscription`
 */
export function SpeakToAdmin({ what }: { what: string }) {
  const user = useUser();
  const { enterprise_id: schoolId } = user;
  const school = useQuery({ ...schoolQuery(schoolId ?? 0), enabled: schoolId !== null }).data?.enterprise;
  const names = school && adminsInWords(school);
  const admins = school ? adminsOf(school) : [];
  return (
    <>
      {what}, please speak to your school administrator{names && `, ${names}`}.{' '}
      {admins.length > 0 && school?.access !== 'closed' && !isSupplyTeacher(user) && (
        <Link to={paths.appointAdmin()}>
          {school?.admin_request ? 'See the request for a new admin' : `${haveTheyLeft(admins)} Tell us`}
        </Link>
      )}
    </>
  );
}

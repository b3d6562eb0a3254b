import { useQuery } from '@tanstack/react-query';
import { paths } from '../../../../paths.ts';
import { fullName } from '../../../../shared/format.ts';
import { useUser } from '../../../../shared/session.ts';
import { isSupplyTeacher } from '../../../../shared/supply-teacher.ts';
import { Link } from '../../../../ui/Link.tsx';
import { schoolQuery } from '../../school/school.public.ts';
import { adminsInWords, adminsOf } from '../model/admins.ts';

/**
 * Sends a teacher to the admins of the school, by name, and to us if the only one has left.
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
      {admins.length === 1 && school?.access !== 'closed' && !isSupplyTeacher(user) && (
        <Link to={paths.appointAdmin()}>
          {school?.admin_request
            ? 'See the request for a new admin'
            : `Has ${admins.map(fullName).join()} left? Tell us`}
        </Link>
      )}
    </>
  );
}

import { Navigate } from '../shared/router.ts';
import { paths } from '../paths.ts';

/** The older address of the pupils list. */
export default function ToPupilsPage() {
  return <Navigate to={paths.pupils()} replace />;
}

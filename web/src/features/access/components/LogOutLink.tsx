import { Link } from 'react-router';
import { paths } from '../../../paths.ts';

/** The way out of a step that cannot be left otherwise. */
export const LogOutLink = () => <Link to={paths.logout()}>Log out</Link>;

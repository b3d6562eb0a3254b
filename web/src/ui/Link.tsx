export { Link, NavLink, type LinkProps } from 'react-router';

/** The class that the dashboard's address names (`?class=3`); undefined for all. */
export function classInAddress(query: URLSearchParams): number | undefined {
  const text = query.get('class') ?? '';
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

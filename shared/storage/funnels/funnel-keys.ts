/**
 * Key of a site's saved funnels in the Config table: one item for all of them, so that a reader sees them as of one moment and a
 * transaction can ask whether they are still the same.
 *
 * | pk        | sk      | item                                |
 * |-----------|---------|-------------------------------------|
 * | site#site | funnels | version, next_id, the funnels by id |
 */
export const funnelsKey = (site: number) => ({ pk: `site#${site}`, sk: "funnels" });

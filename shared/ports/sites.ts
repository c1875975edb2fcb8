import type { Site } from "../domain/access/principal";

/** Where sites are looked up by number. */
export interface SiteDirectory {
  find(site: number): Promise<Site | null>;
}

/** The engines that Rollcall stores its data with. */
export const ENGINE_TITLES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;
export type EngineName = keyof typeof ENGINE_TITLES;
export const ENGINE_NAMES = Object.keys(ENGINE_TITLES) as EngineName[];

/** Names a figure of an engine. SQLite is the default, so its figures do not mention it. */
export function onEngine(engine: EngineName, what: string): string {
  return engine === 'sqlite' ? what : `${ENGINE_TITLES[engine]}, ${what}`;
}

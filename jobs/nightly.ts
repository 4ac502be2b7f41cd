/** `npm run nightly`: the command `npx --no crossfoot nightly`, with the same options. */
process.argv.splice(2, 0, 'nightly');
await import('../src/cli.ts');

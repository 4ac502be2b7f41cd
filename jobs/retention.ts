/** `npm run retention`: the command `npx --no crossfoot retention`, with the same options. */
process.argv.splice(2, 0, 'retention');
await import('../src/cli.ts');

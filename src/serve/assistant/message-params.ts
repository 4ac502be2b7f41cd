/** The parameters of a request to the assistant, checked before the protocol library, which answers with a dump of its schema. */
import { isJSONRPCRequest, isLegacyRequest, specTypeSchemas } from '@modelcontextprotocol/server';

const INVALID_PARAMS = -32_602;

const SCHEMAS = new Map(
  Object.entries({
    initialize: specTypeSchemas.InitializeRequest,
    'tools/call': specTypeSchemas.CallToolRequest,
    'tools/list': specTypeSchemas.ListToolsRequest,
  }),
);

/**
 * The refusal of parameters that are missing or of the wrong type, and of a tool that no server has; null where there is
 * none. Requests of protocol 2026-07-28 are left to the library, which checks their headers and metadata first.
 */
export async function refuseParams(
  request: Request,
  message: unknown,
  tools: ReadonlySet<string>,
): Promise<Response | null> {
  if (!isJSONRPCRequest(message)) return null;
  const { id, method, params } = message;
  const legacy = await isLegacyRequest(request, message);
  const checked = legacy ? SCHEMAS.get(method)?.['~standard'].validate(message) : undefined;
  const paths = checked?.issues?.map(({ path = [] }) => path.map(String).join('.')) ?? [];
  if (paths.length > 0) {
    const verb = paths.length === 1 ? 'is' : 'are';
    return refuse(id, `${method}: ${paths.join(', ')} ${verb} missing or of the wrong type.`);
  }
  // The library looks a tool up in a plain object, and calls what it inherits from there "disabled".
  const name = String(params?.['name']);
  const inherited = method === 'tools/call' && !tools.has(name) && name in {};
  return inherited ? refuse(id, `Tool ${name} not found`) : null;
}

function refuse(id: string | number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code: INVALID_PARAMS, message } });
}

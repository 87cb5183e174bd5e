/** What every token of a visitor is signed with: base64url and HS256, as scripts have them. */
export const jwtOfVisitors = `
const base64url = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/[+]/g, '-').replace(/[/]/g, '_').replace(/=/g, '');
const bytesOf = (text) => new TextEncoder().encode(text);
async function sign(claims, secret) {
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) => base64url(bytesOf(JSON.stringify(part)))).join('.');
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return signed + '.' + base64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytesOf(signed))));
}`;

/**
 * Signs visitors in as public integrations do: by a redirect to an identity provider, which sends them back with a
 * code. `https://docs.example/stub/token` stands for the provider.
 */
export const visitorScript = `${jwtOfVisitors}
return runtime.createIntegration({
  fetch: async (request, { environment, api }) => {
    const { installation, siteInstallation, signingSecrets } = environment;
    const { pathname, searchParams } = new URL(request.url);
    if (!pathname.endsWith('/visitor-auth/response')) return Response.json(signingSecrets);
    const location = searchParams.get('state').slice('state-'.length);
    const body = new URLSearchParams({ code: searchParams.get('code') });
    const told = await (await fetch('https://docs.example/stub/token', { method: 'POST', body })).json();
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const token = await sign({ ...told, exp }, signingSecrets.siteInstallation);
    const { data } = await api.orgs.getSiteById(installation.target.organization, siteInstallation.site);
    const url = new URL(data.urls.published + location);
    url.searchParams.append('jwt_token', token);
    return Response.redirect(url.toString());
  },
  fetch_visitor_authentication: async (event, { environment }) => {
    const { configuration, urls } = environment.siteInstallation;
    if (configuration.mode === 'throw') throw new Error('The provider is away');
    if (configuration.mode === 'page') return new Response('Come in');
    if (configuration.mode === 'elsewhere') return new Response(null, { status: 302, headers: { location: 'file:///etc' } });
    const url = new URL('https://provider.example/authorize');
    url.searchParams.append('client_id', configuration.client_id);
    url.searchParams.append('redirect_uri', urls.publicEndpoint + '/visitor-auth/response');
    url.searchParams.append('state', 'state-' + (event.location ?? ''));
    return Response.redirect(url.toString());
  },
});`;

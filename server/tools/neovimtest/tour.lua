-- Works through docs/neovim.md with the reply in the current folder, and writes down what it saw.
local seen = { error = '', buffers = vim.empty_dict() }

local function wait(what, ok)
  if not vim.wait(20000, ok, 20) then
    error('gave up waiting for ' .. what)
  end
end

local function request(client, method, params)
  local answer, err = client.request_sync(method, params, 20000, 0)
  if err or answer.err then
    error(method .. ': ' .. vim.inspect(err or answer.err))
  end
  return answer.result
end

local function titles(client)
  local lenses = request(client, 'textDocument/codeLens', { textDocument = { uri = vim.uri_from_bufnr(0) } })
  return vim.tbl_map(function(lens) return lens.command.title end, lenses), lenses
end

local function text(buffer) return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') end

-- Runs a command as vim.lsp.codelens.run does.
local function run(client, command) return request(client, 'workspace/executeCommand', command) end

local function tour()
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.window.showDocument = { support = true }
  local id = vim.lsp.start_client({
    name = 'aptix', cmd = { vim.env.APTIX, 'lsp' }, root_dir = vim.fn.getcwd(),
    workspace_folders = { { uri = vim.uri_from_fname(vim.fn.getcwd()), name = 'root' } },
    capabilities = capabilities,
    handlers = {
      ['window/showDocument'] = function(_, shown)
        vim.cmd('split ' .. vim.fn.fnameescape(vim.uri_to_fname(shown.uri)))
        return { success = true }
      end,
    },
  })
  -- Every buffer, those too that an edit opens, and those without a name.
  vim.api.nvim_create_autocmd({ 'BufReadPost', 'FileType' }, {
    callback = function(event)
      if vim.bo[event.buf].buftype == '' then vim.lsp.buf_attach_client(event.buf, id) end
    end,
  })
  vim.cmd('edit reply.md')
  vim.bo.filetype = 'markdown'
  local client = vim.lsp.get_client_by_id(id)
  wait('the server', function() return client.initialized end)

  wait('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
  seen.diagnostics = vim.tbl_map(function(d)
    return string.format('%d:%d %s', d.lnum + 1, d.col + 1, d.code or d.user_data.lsp.code)
  end, vim.diagnostic.get(0))

  local lenses
  seen.before, lenses = titles(client)
  run(client, lenses[2].command)
  wait('the preview', function() return #vim.api.nvim_list_wins() == 2 end)
  seen.preview = text(0)
  vim.cmd('close')

  local result = run(client, lenses[3].command)
  if not (result.applied and result.verified) then
    error('not applied: ' .. vim.inspect(result))
  end
  seen.after = titles(client)

  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    seen.buffers[vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':t')] = text(buffer)
  end
  local a = vim.fn.bufnr('a.txt')
  vim.api.nvim_buf_call(a, function() vim.cmd('silent undo') end)
  seen.undone = text(a)

  -- A reply in a buffer without a name.
  vim.cmd('enew')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, {
    '```json', '{"root": ".", "files": [{"path": "unnamed.txt", "operation": "create", "content": "u\\n"}]}', '```',
  })
  vim.bo.filetype = 'markdown'
  seen.unnamed, lenses = titles(client)
  run(client, lenses[2].command)
  seen.buffers['unnamed.txt'] = text(vim.fn.bufnr('unnamed.txt'))
  local applied
  applied, lenses = titles(client)
  seen.revert = applied[2]
  vim.api.nvim_buf_call(vim.fn.bufnr('unnamed.txt'), function() vim.cmd('silent write') end)
  seen.message = run(client, lenses[2].command).message
end

local ok, err = pcall(tour)
if not ok then
  seen.error = tostring(err)
end
local file = assert(io.open(vim.env.TOUR, 'w'))
file:write(vim.json.encode(seen))
file:close()
vim.cmd('qall!')

// A plugin of clang-tidy that limits its checks to this project's declarations: the standard
// library and gtest are nine tenths of most sources' trees, and their findings are not shown.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Frontend/FrontendPluginRegistry.h>

namespace {

class OwnDeclarations : public clang::ASTConsumer {
    void HandleTranslationUnit(clang::ASTContext& context) override {
        const clang::SourceManager& sources = context.getSourceManager();
        std::vector<clang::Decl*> own;
        for (clang::Decl* one : context.getTranslationUnitDecl()->decls())
            if (!sources.isInSystemHeader(sources.getExpansionLoc(one->getLocation())))
                own.push_back(one);
        context.setTraversalScope(own);
    }
};

class BeforeChecks : public clang::PluginASTAction {
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&,
                                                          llvm::StringRef) override {
        return std::make_unique<OwnDeclarations>();
    }
    bool ParseArgs(const clang::CompilerInstance&, const std::vector<std::string>&) override {
        return true;
    }
    ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<BeforeChecks> plugin("own-declarations", "");

}  // namespace
